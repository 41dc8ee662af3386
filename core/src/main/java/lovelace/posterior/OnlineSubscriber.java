package lovelace.posterior;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/// Adds what a publisher sends to an [Online] posterior, which it makes anew when the stream ends.
/// An observation that cannot be added cancels the subscription and fails [#completion].
public final class OnlineSubscriber implements Flow.Subscriber<Online.Row> {

  private final Online online;
  private final int batch;
  private final CompletableFuture<GridPosterior> completion = new CompletableFuture<>();
  private Flow.@Nullable Subscription subscription;
  private int left;

  OnlineSubscriber(Online online, int batch) {
    if (batch < 1) throw new IllegalArgumentException("batch must be >= 1, got " + batch);
    this.online = online;
    this.batch = batch;
  }

  /// The posterior of the whole stream once it ends, or why it failed.
  public CompletableFuture<GridPosterior> completion() {
    return completion;
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    if (subscription != null) {
      given.cancel();
      return;
    }
    subscription = given;
    left = batch;
    given.request(batch);
  }

  @Override
  public void onNext(Online.Row row) {
    Flow.Subscription own = subscription;
    if (own == null || completion.isDone()) return;
    try {
      online.accept(row);
    } catch (RuntimeException e) {
      own.cancel();
      completion.completeExceptionally(e);
      return;
    }
    if (--left == 0) {
      left = batch;
      own.request(batch);
    }
  }

  @Override
  public void onError(Throwable failure) {
    completion.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    if (completion.isDone()) return;
    try {
      completion.complete(online.refresh());
    } catch (RuntimeException e) {
      completion.completeExceptionally(e);
    }
  }
}

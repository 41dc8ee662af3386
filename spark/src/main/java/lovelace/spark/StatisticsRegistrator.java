package lovelace.spark;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import lovelace.statistics.GridStatistics;
import org.apache.spark.serializer.KryoRegistrator;

/// Lets Kryo transport [GridStatistics] of your own jobs in their compact form:
/// `spark.kryo.registrator=lovelace.spark.StatisticsRegistrator`. This module's own transfers need
/// no registration.
public final class StatisticsRegistrator implements KryoRegistrator {

  @Override
  public void registerClasses(Kryo kryo) {
    kryo.register(GridStatistics.class, new JavaSerializer());
  }
}

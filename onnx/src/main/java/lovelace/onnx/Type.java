package lovelace.onnx;

/// The type of a tensor's elements, with its number in ONNX.
enum Type {
  FLOAT(1, 4),
  INT64(7, 8),
  STRING(8, 0),
  BOOL(9, 1),
  DOUBLE(11, 8);

  private final int code;
  private final int bytes;

  Type(int code, int bytes) {
    this.code = code;
    this.bytes = bytes;
  }

  int code() {
    return code;
  }

  int bytes() {
    return bytes;
  }
}

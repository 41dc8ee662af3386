/// A model as an ONNX graph: tables and arithmetic that any ONNX runtime evaluates, with the
/// variance. Entry type: [lovelace.onnx.OnnxExport]; [lovelace.onnx.OnnxFile] reads what it wrote.
///
/// [lovelace.onnx.Message] knows the bytes, [lovelace.onnx.Graph] the operators; the other types
/// say one part of a model each in operators.
@NullMarked
package lovelace.onnx;

import org.jspecify.annotations.NullMarked;

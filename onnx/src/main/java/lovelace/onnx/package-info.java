/// A model as an ONNX graph: tables and arithmetic that any ONNX runtime evaluates, with the
/// variance. Entry type: [lovelace.onnx.OnnxExport]; [lovelace.onnx.OnnxFile] reads what it wrote.
///
/// [lovelace.onnx.Message] knows the bytes, and [lovelace.onnx.Graph] the operators. Each of the
/// other types expresses one part of a model in operators.
@NullMarked
package lovelace.onnx;

import org.jspecify.annotations.NullMarked;

package lovelace.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.ConstantPoolSharingOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import lovelace.io.AtomicFile;

/// Rewrites the classes of a jar that were compiled for Java 5 as Java 8 classes. The launcher runs
/// it on picocli's jar after a build: the JVM does not keep classes older than Java 6 in its AOT
/// cache, and would load and verify all of picocli at every start (see `docs/decisions`).
final class NewerClasses {

  private NewerClasses() {}

  /// Rewrites the named jars in place.
  public static void main(String[] args) throws IOException {
    for (String jar : args) rewrite(Path.of(jar));
  }

  private static void rewrite(Path jar) throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    try (var zip = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : Collections.list(zip.entries()))
        try (var in = zip.getInputStream(entry)) {
          files.put(entry.getName(), in.readAllBytes());
        }
    }
    var classFile = classFile(files);
    var bytes = new ByteArrayOutputStream();
    try (var out = new ZipOutputStream(bytes)) {
      for (var file : files.entrySet()) {
        out.putNextEntry(new ZipEntry(file.getKey()));
        out.write(
            file.getKey().endsWith(".class") ? newer(classFile, file.getValue()) : file.getValue());
      }
    }
    AtomicFile.write(jar, bytes.toByteArray());
  }

  private static byte[] newer(ClassFile classFile, byte[] bytes) {
    ClassModel model = classFile.parse(bytes);
    if (model.majorVersion() >= ClassFile.JAVA_6_VERSION) return bytes;
    ClassTransform version =
        (builder, element) -> {
          if (element instanceof ClassFileVersion) builder.withVersion(ClassFile.JAVA_8_VERSION, 0);
          else builder.with(element);
        };
    // every method body is written again, and gets the stack maps that newer classes need
    return classFile.transformClass(
        model,
        version.andThen(
            ClassTransform.transformingMethodBodies((code, element) -> code.with(element))));
  }

  /// Knows the classes of the jar beside those of the JDK.
  private static ClassFile classFile(Map<String, byte[]> files) {
    ClassHierarchyResolver own =
        ClassHierarchyResolver.ofResourceParsing(
            type -> {
              String name = type.descriptorString();
              byte[] bytes = files.get(name.substring(1, name.length() - 1) + ".class");
              return bytes == null ? null : new ByteArrayInputStream(bytes);
            });
    return ClassFile.of(
        ClassHierarchyResolverOption.of(own.orElse(ClassHierarchyResolver.defaultResolver())),
        StackMapsOption.GENERATE_STACK_MAPS,
        ConstantPoolSharingOption.NEW_POOL);
  }
}

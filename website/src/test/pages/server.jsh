import java.security.KeyStore;
Files.writeString(Path.of("token"), "secret\n");
int made = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-alias", "a",
    "-keyalg", "EC", "-dname", "CN=localhost", "-storepass", "changeit", "-keystore", "keys.p12", "-storetype", "PKCS12").start().waitFor();
KeyStore keys = KeyStore.getInstance(Path.of("keys.p12").toFile(), "changeit".toCharArray());
void pem(String file, String what, byte[] bytes) throws Exception {
  Files.writeString(Path.of(file), "-----BEGIN " + what + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END " + what + "-----\n");
}
pem("cert.pem", "CERTIFICATE", keys.getCertificate("a").getEncoded());
pem("key.pem", "PRIVATE KEY", keys.getKey("a", "changeit".toCharArray()).getEncoded());

package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.github.luben.zstd.ZstdOutputStream;
import io.metaq.client.MetaqException.Reason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import net.jpountz.lz4.LZ4FrameOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compressed bodies. */
class BodiesTest {
  private static final byte[] BODY = "so much of the same. ".repeat(500).getBytes(StandardCharsets.UTF_8);
  private static final int COMPRESSED = 1;

  private interface Packer {
    OutputStream over(OutputStream out) throws IOException;
  }

  @ParameterizedTest
  @ValueSource(ints = {0x000, 0x300})
  void shouldUnpackZlibWithAndWithoutItsType(int type) {
    assertThat(Bodies.unpack(Bodies.pack(BODY), COMPRESSED | type)).isEqualTo(BODY);
  }

  @Test
  void shouldUnpackLz4AndZstd() throws IOException {
    assertThat(Bodies.unpack(packed(LZ4FrameOutputStream::new), COMPRESSED | 0x100)).isEqualTo(BODY);
    assertThat(Bodies.unpack(packed(ZstdOutputStream::new), COMPRESSED | 0x200)).isEqualTo(BODY);
  }

  @ParameterizedTest
  @CsvSource({"0x300,zlib", "0x100,lz4", "0x200,zstd"})
  void shouldSayThatABodyIsDamaged(String type, String format) throws IOException {
    int sysFlag = COMPRESSED | Integer.decode(type);
    byte[] packed =
        switch (format) {
          case "lz4" -> packed(LZ4FrameOutputStream::new);
          case "zstd" -> packed(ZstdOutputStream::new);
          default -> Bodies.pack(BODY);
        };

    MetaqException cut = failure(Arrays.copyOf(packed, packed.length / 2), sysFlag);
    MetaqException noise = failure("anything".getBytes(StandardCharsets.UTF_8), sysFlag);

    assertThat(cut.reason()).isEqualTo(Reason.UNREADABLE);
    assertThat(noise.reason()).isEqualTo(Reason.UNREADABLE);
    assertThat(noise).hasMessageContaining(format);
  }

  @Test
  void shouldSayThatATypeIsUnknown() {
    assertThat(failure(BODY, COMPRESSED | 0x500)).hasMessageContaining("type 5");
  }

  @Test
  void shouldNotBelieveABodyThatUnpacksToTooMuch() {
    assertThat(failure(Bodies.pack(new byte[Bodies.MAX_UNPACKED_BYTES + 1]), COMPRESSED | 0x300)).hasMessageContaining("more than");
  }

  @ParameterizedTest
  @CsvSource({"0x100,at.yawk.lz4:lz4-java,net.jpountz", "0x200,com.github.luben:zstd-jni,com.github.luben"})
  void shouldNameTheLibraryThatIsMissing(String type, String library, String hidden) throws Exception {
    try (URLClassLoader without = new Without(hidden)) {
      var unpack = without.loadClass(Bodies.class.getName()).getDeclaredMethod("unpack", byte[].class, int.class);
      unpack.setAccessible(true);

      var failure =
          catchThrowableOfType(
              InvocationTargetException.class,
              () -> unpack.invoke(null, BODY, COMPRESSED | Integer.decode(type)));

      assertThat(failure.getCause()).hasMessageContaining(library);
    }
  }

  private static byte[] packed(Packer packer) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = packer.over(bytes)) {
      out.write(BODY);
    }
    return bytes.toByteArray();
  }

  private static MetaqException failure(byte[] packed, int sysFlag) {
    return catchThrowableOfType(MetaqException.class, () -> Bodies.unpack(packed, sysFlag));
  }

  /** The class path without the classes whose names begin so. */
  private static final class Without extends URLClassLoader {
    private final String hidden;

    Without(String hidden) {
      super(new URL[] {Bodies.class.getProtectionDomain().getCodeSource().getLocation()}, BodiesTest.class.getClassLoader());
      this.hidden = hidden;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith(hidden)) {
        throw new ClassNotFoundException(name);
      }
      if (name.startsWith("io.metaq.client.")) {
        Class<?> loaded = findLoadedClass(name);
        return loaded != null ? loaded : findClass(name);
      }
      return super.loadClass(name, resolve);
    }
  }
}

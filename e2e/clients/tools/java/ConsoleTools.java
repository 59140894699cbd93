import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import org.apache.kafka.common.utils.Exit;

/**
 * Runs Kafka's console tools one after the other in one process: the same `main` with the same arguments, without a second for each to
 * start.
 *
 * <pre>
 * ConsoleTools
 * </pre>
 *
 * A command is one line of Base64 words: milliseconds that the tool may take, its main class, its standard input, its arguments. It is
 * answered by the exit code ("late" when the time was over), what was written to standard output and to standard error, both as Base64, and
 * a dot.
 */
public final class ConsoleTools {
  private static final PrintStream ANSWERS = System.out;

  private ConsoleTools() {}

  public static void main(String[] args) throws Exception {
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    // Some classes keep the stream that they find when they are loaded.
    Capture out = new Capture();
    Capture err = new Capture();
    System.setOut(new PrintStream(out, true));
    System.setErr(new PrintStream(err, true));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      String[] words = line.split(" ", -1);
      for (int at = 0; at < words.length; at++) {
        words[at] = new String(Base64.getDecoder().decode(words[at]), StandardCharsets.UTF_8);
      }
      out.begin();
      err.begin();
      Run run = new Run(words[1], words[2], Arrays.copyOfRange(words, 3, words.length), List.of(out, err));
      run.start();
      run.join(Long.parseLong(words[0]));
      ANSWERS.println(run.isAlive() ? "late" : String.valueOf(run.exitCode));
      ANSWERS.println(out.end());
      ANSWERS.println(err.end());
      ANSWERS.println(".");
      ANSWERS.flush();
    }
    Runtime.getRuntime().halt(0);
  }

  /** One run of a tool, on a thread that may be left behind. */
  private static final class Run extends Thread {
    private final String mainClass;
    private final InputStream input;
    private final String[] args;
    private final List<Capture> captures;
    private final List<Runnable> hooks = Collections.synchronizedList(new ArrayList<>());
    private volatile Integer exitCode;

    Run(String mainClass, String input, String[] args, List<Capture> captures) {
      this.mainClass = mainClass;
      this.input = new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8));
      this.args = args;
      this.captures = captures;
      setDaemon(true);
    }

    @Override
    public void run() {
      Exit.setExitProcedure((code, message) -> exit(code));
      Exit.setHaltProcedure((code, message) -> exit(code));
      Exit.setShutdownHookAdder((name, hook) -> hooks.add(hook));
      System.setIn(input);
      try {
        Class.forName(mainClass).getMethod("main", String[].class).invoke(null, (Object) args);
      } catch (InvocationTargetException failed) {
        fail(failed.getCause());
      } catch (ReflectiveOperationException failed) {
        fail(failed);
      }
      for (Runnable hook : List.copyOf(hooks)) {
        try {
          hook.run();
        } catch (Ended again) {
          // Its exit code is known.
        }
      }
      if (exitCode == null) {
        exitCode = 0;
      }
    }

    /** What would end the process: nothing is written after it, even if the tool catches everything. */
    private void exit(int code) {
      if (exitCode == null) {
        exitCode = code;
        captures.forEach(Capture::mute);
      }
      throw new Ended();
    }

    private void fail(Throwable failure) {
      if (exitCode == null) {
        failure.printStackTrace();
        exitCode = 1;
      }
    }
  }

  private static final class Ended extends Error {
    private static final long serialVersionUID = 1L;

    Ended() {
      super("exit", null, false, false);
    }
  }

  /** What one tool writes. */
  private static final class Capture extends OutputStream {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private boolean isMuted = true;

    synchronized void begin() {
      written.reset();
      isMuted = false;
    }

    synchronized void mute() {
      isMuted = true;
    }

    synchronized String end() {
      isMuted = true;
      return Base64.getEncoder().encodeToString(written.toByteArray());
    }

    @Override
    public synchronized void write(int octet) {
      if (!isMuted) {
        written.write(octet);
      }
    }

    @Override
    public synchronized void write(byte[] octets, int from, int count) {
      if (!isMuted) {
        written.write(octets, from, count);
      }
    }
  }
}

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Writes what {@code growth} measured into docs/benchmarks.md, between the two lines that mark each group's place, and as a chart of
 * each into docs/images/growth-GROUP.svg.
 *
 * <pre>
 *   java GrowthReport.java FOLDER-OF-FIGURES DOCS
 * </pre>
 *
 * A line of figures is "server|x|most or paced|key=value ...".
 */
public final class GrowthReport {
  private static final Map<String, String> COLOURS = Map.of("rocketmq", "#9aa5b1", "metaq", "#2f6f4f");

  private static final int WIDTH = 760;
  private static final int HEIGHT = 250;
  private static final int PANEL = 370;
  private static final int LEFT = 72;
  private static final int RIGHT = 16;
  private static final int TOP = 44;
  private static final int BOTTOM = 42;

  private record Group(String name, String axis) {}

  private static final List<Group> GROUPS = List.of(
      new Group("connections", "connections"), new Group("bodies", "bytes of a body"), new Group("topics", "topics of 4 queues"),
      new Group("consumers", "consumers that wait"), new Group("store", "GB that lie there already"));

  /** What one server did at one place of the axis: the run at full speed, and the one at a steady rate. */
  private record Point(String server, String x, Map<String, Double> most, Map<String, Double> paced) {
    double rate() {
      return most.getOrDefault("rate", Double.NaN);
    }

    double p99() {
      return paced.getOrDefault("p99us", Double.NaN);
    }
  }

  public static void main(String[] args) throws IOException {
    Path figures = Path.of(args[0]);
    Path docs = Path.of(args[1]);
    Path page = docs.resolve("benchmarks.md");
    String text = Files.readString(page);
    Files.createDirectories(docs.resolve("images"));
    for (Group group : GROUPS) {
      Path file = figures.resolve("growth." + group.name());
      if (Files.exists(file)) {
        List<String> lines = Files.readAllLines(file);
        List<Point> points = points(lines);
        text = replaced(text, group, table(group, origin(lines), points));
        Files.writeString(docs.resolve("images/growth-" + group.name() + ".svg"), chart(group, points));
      }
    }
    Files.writeString(page, text);
  }

  private static String replaced(String text, Group group, String words) {
    String begin = "<!-- growth " + group.name() + " -->";
    int from = text.indexOf(begin) + begin.length();
    int to = text.indexOf("<!-- end of growth " + group.name() + " -->");
    if (from < begin.length() || to < from) {
      throw new IllegalStateException("docs/benchmarks.md has no place for " + group.name());
    }
    return text.substring(0, from) + "\n" + words + text.substring(to);
  }

  private static String origin(List<String> lines) {
    String[] parts = lines.get(0).split("\\|");
    return "commit " + parts[1] + ", JDK " + parts[2];
  }

  private static List<Point> points(List<String> lines) {
    Map<String, Point> points = new LinkedHashMap<>();
    for (String line : lines) {
      String[] parts = line.split("\\|");
      if (parts.length == 4) {
        Point point = points.computeIfAbsent(
            parts[1] + " " + parts[0], key -> new Point(parts[0], parts[1], new HashMap<>(), new HashMap<>()));
        Map<String, Double> run = parts[2].equals("most") ? point.most() : point.paced();
        Arrays.stream(parts[3].split(" ")).map(pair -> pair.split("=")).filter(pair -> pair[1].matches("[0-9.]+"))
            .forEach(pair -> run.put(pair[0], Double.parseDouble(pair[1])));
      }
    }
    List<String> axis = points.values().stream().map(Point::x).distinct().toList();
    List<Point> sorted = new ArrayList<>(points.values());
    sorted.sort((a, b) -> Integer.compare(axis.indexOf(a.x()), axis.indexOf(b.x())));
    return sorted;
  }

  private static String table(Group group, String origin, List<Point> points) {
    StringBuilder text = new StringBuilder(origin).append(":\n\n")
        .append("| ").append(group.axis()).append(" | server | most sends/s | MB/s | server CPU us/send | refused | steady sends/s ")
        .append("| p50 us | p99 us | p99.9 us | server CPU us/send |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (Point point : points) {
      text.append("| ").append(String.join(" | ", grouped(point.x()), point.server(),
          text(point.most(), "rate", "%,.0f"), text(point.most(), "MBps", "%.0f"), text(point.most(), "server_cpu_us_per_msg", "%.1f"),
          text(point.most(), "bad", "%.0f"), text(point.paced(), "rate", "%,.0f"), text(point.paced(), "p50us", "%,.0f"),
          text(point.paced(), "p99us", "%,.0f"), text(point.paced(), "p999us", "%,.0f"),
          text(point.paced(), "server_cpu_us_per_msg", "%.0f"))).append(" |\n");
    }
    return text.append("\n![Rate and times against ").append(group.axis()).append("](images/growth-").append(group.name())
        .append(".svg)\n").toString();
  }

  private static String grouped(String number) {
    return String.format(Locale.ROOT, "%,d", Long.parseLong(number));
  }

  private static String text(Map<String, Double> figures, String name, String format) {
    Double figure = figures.get(name);
    return figure == null ? "-" : String.format(Locale.ROOT, format, figure);
  }

  private static String chart(Group group, List<Point> points) {
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + WIDTH + "\" height=\"" + HEIGHT + "\" "
        + "font-family=\"sans-serif\" font-size=\"12\">\n"
        + "<title>Rate and times against " + group.axis() + "</title>\n"
        + "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
        + panel(0, "most sends a second", group, points, Point::rate)
        + panel(WIDTH - PANEL, "p99 of sends at a steady rate, us", group, points, Point::p99) + "</svg>\n";
  }

  /** One figure of all servers: places of the x axis are equally far apart, the y axis is logarithmic over whole powers of ten. */
  private static String panel(int x0, String title, Group group, List<Point> points, ToDoubleFunction<Point> figure) {
    List<String> axis = points.stream().map(Point::x).distinct().toList();
    double[] values = points.stream().mapToDouble(figure).filter(value -> value > 0).toArray();
    int low = (int) Math.floor(Math.log10(Arrays.stream(values).min().orElse(1)));
    int high = Math.max(low + 1, (int) Math.ceil(Math.log10(Arrays.stream(values).max().orElse(10))));
    int floor = HEIGHT - BOTTOM;
    double decade = (double) (floor - TOP) / (high - low);
    double step = (double) (PANEL - LEFT - RIGHT - 20) / Math.max(1, axis.size() - 1);

    StringBuilder svg = new StringBuilder(label(x0 + LEFT, 18, "start", "#222", title));
    for (int power = low; power <= high; power++) {
      double y = floor - (power - low) * decade;
      svg.append(String.format(Locale.ROOT, "<line x1=\"%d\" y1=\"%.0f\" x2=\"%d\" y2=\"%.0f\" stroke=\"#ddd\"/>%n",
          x0 + LEFT, y, x0 + PANEL - RIGHT, y));
      svg.append(label(x0 + LEFT - 6, (int) y + 4, "end", "#555", String.format(Locale.ROOT, "%,d", (long) Math.pow(10, power))));
    }
    for (int i = 0; i < axis.size(); i++) {
      svg.append(label((int) (x0 + LEFT + 10 + i * step), floor + 16, "middle", "#555", shortened(axis.get(i))));
    }
    svg.append(label(x0 + LEFT + (PANEL - LEFT - RIGHT) / 2, HEIGHT - 8, "middle", "#555", group.axis()));

    int legend = x0 + LEFT;
    for (String server : servers(points).toList()) {
      StringBuilder line = new StringBuilder();
      for (Point point : points) {
        double value = figure.applyAsDouble(point);
        if (point.server().equals(server) && value > 0) {
          double x = x0 + LEFT + 10 + axis.indexOf(point.x()) * step;
          double y = floor - (Math.log10(value) - low) * decade;
          line.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y));
          svg.append(String.format(Locale.ROOT, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>%n", x, y, COLOURS.get(server)));
        }
      }
      svg.append("<polyline points=\"").append(line.toString().strip()).append("\" fill=\"none\" stroke-width=\"2\" stroke=\"")
          .append(COLOURS.get(server)).append("\"/>\n");
      svg.append(label(legend, 34, "start", COLOURS.get(server), server));
      legend += 80;
    }
    return svg.toString();
  }

  private static Stream<String> servers(List<Point> points) {
    return points.stream().map(Point::server).distinct().sorted();
  }

  /** 1024 and more in binary thousands where it is one of them. */
  private static String shortened(String number) {
    long value = Long.parseLong(number);
    if (value >= 1 << 20 && value % (1 << 20) == 0) {
      return (value >> 20) + " M";
    }
    return value >= 1 << 10 && value % (1 << 10) == 0 ? (value >> 10) + " K" : grouped(number);
  }

  private static String label(int x, int y, String anchor, String colour, String words) {
    return String.format(Locale.ROOT, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" fill=\"%s\">%s</text>%n", x, y, anchor, colour, words);
  }
}

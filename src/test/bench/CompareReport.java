import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/**
 * Writes what {@code compare} measured into docs/benchmarks.md, between the two lines that mark the place, and as a chart into
 * docs/images/sends.svg.
 *
 * <pre>
 *   java CompareReport.java FOLDER-OF-FIGURES DOCS
 * </pre>
 */
public final class CompareReport {
  private static final List<String> GROUPS = List.of("sends", "latency", "pulls", "sync");
  private static final Map<String, String> COLOURS = Map.of("rocketmq", "#9aa5b1", "kafka", "#c9a66b", "metaq", "#2f6f4f");
  private static final String BEGIN = "<!-- compare -->";
  private static final String END = "<!-- end of compare -->";

  private static final int WIDTH = 760;
  private static final int LABELS = 250;
  private static final int BAR = 18;

  /** One server in one row: each figure's values, one a round. */
  private record Cell(String server, String row, Map<String, List<Double>> figures) {
    double median(String figure) {
      List<Double> values = figures.getOrDefault(figure, List.of());
      return values.isEmpty() ? Double.NaN : values.stream().sorted().toList().get((values.size() - 1) / 2);
    }

    String text(String figure, String format) {
      double median = median(figure);
      return Double.isNaN(median) ? "-" : String.format(Locale.ROOT, format, median);
    }
  }

  public static void main(String[] args) throws IOException {
    Path figures = Path.of(args[0]);
    Path docs = Path.of(args[1]);
    Map<String, List<Cell>> groups = new LinkedHashMap<>();
    TreeSet<String> origins = new TreeSet<>();
    for (String group : GROUPS) {
      Path file = figures.resolve("compare." + group);
      if (Files.exists(file)) {
        groups.put(group, read(Files.readAllLines(file), origins));
      }
    }
    Path page = docs.resolve("benchmarks.md");
    String text = Files.readString(page);
    int from = text.indexOf(BEGIN) + BEGIN.length();
    int to = text.indexOf(END);
    Files.writeString(page, text.substring(0, from) + "\n" + table(groups, origins) + text.substring(to));
    Files.createDirectories(docs.resolve("images"));
    Files.writeString(docs.resolve("images/sends.svg"), chart(groups.getOrDefault("sends", List.of())));
  }

  private static List<Cell> read(List<String> lines, TreeSet<String> origins) {
    Map<String, Cell> cells = new LinkedHashMap<>();
    for (String line : lines) {
      String[] parts = line.split("\\|");
      if (parts[0].equals("#")) {
        origins.add("commit " + parts[1] + ", JDK " + parts[2] + ", medians of " + parts[3]);
      } else if (parts.length == 3) {
        Cell cell = cells.computeIfAbsent(parts[1] + parts[0], key -> new Cell(parts[0], parts[1], new LinkedHashMap<>()));
        Arrays.stream(parts[2].split(" ")).map(pair -> pair.split("=")).filter(pair -> pair[1].matches("[0-9.]+"))
            .forEach(pair -> cell.figures().computeIfAbsent(pair[0], key -> new ArrayList<>()).add(Double.parseDouble(pair[1])));
      }
    }
    // The servers of one row stand together, in the order in which rows were first met.
    Map<String, List<Cell>> rows = new LinkedHashMap<>();
    cells.values().forEach(cell -> rows.computeIfAbsent(cell.row(), key -> new ArrayList<>()).add(cell));
    return rows.values().stream().flatMap(List::stream).toList();
  }

  private static String table(Map<String, List<Cell>> groups, TreeSet<String> origins) throws IOException {
    StringBuilder text = new StringBuilder(machine()).append("; ").append(String.join("; ", origins)).append(".\n\n")
        .append("| row | server | messages/s | p50 us | p99 us | p99.9 us | server CPU us/message | refused |\n")
        .append("|---|---|---|---|---|---|---|---|\n");
    groups.values().stream().flatMap(List::stream).forEach(cell -> text.append("| ").append(String.join(" | ", cell.row(), cell.server(),
        cell.text("rate", "%,.0f"), cell.text("p50us", "%,.0f"), cell.text("p99us", "%,.0f"), cell.text("p999us", "%,.0f"),
        cell.text("server_cpu_us_per_msg", "%.1f"), cell.text("bad", "%.0f"))).append(" |\n"));
    return text.append("\n![Messages a second that each server stored](images/sends.svg)\n").toString();
  }

  private static String machine() throws IOException {
    long memoryKb = Files.readAllLines(Path.of("/proc/meminfo")).stream().filter(line -> line.startsWith("MemTotal"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", ""))).findFirst().orElse(0);
    return Runtime.getRuntime().availableProcessors() + " cores, " + Math.round(memoryKb / 1048576.0) + " GB, "
        + Files.getFileStore(Path.of("target")).type() + ", " + System.getProperty("os.name") + " "
        + System.getProperty("os.version").replaceAll("[^0-9.].*", "");
  }

  /** Bars of the rates, row by row, on one logarithmic scale: they go over three powers of ten. */
  private static String chart(List<Cell> cells) {
    StringBuilder svg = new StringBuilder();
    int y = 34;
    String row = "";
    for (Cell cell : cells) {
      if (!cell.row().equals(row)) {
        row = cell.row();
        y += 12;
        svg.append(text(LABELS - 10, y + 13, "end", "#222", row));
      }
      double length = Math.max(1, (Math.log10(Math.max(1000, cell.median("rate"))) - 3) / 3.5 * (WIDTH - LABELS - 150));
      svg.append(String.format(Locale.ROOT, "<rect x=\"%d\" y=\"%d\" width=\"%.0f\" height=\"%d\" fill=\"%s\"/>%n",
          LABELS, y, length, BAR - 3, COLOURS.get(cell.server())));
      svg.append(text(LABELS + (int) length + 6, y + 12, "start", "#222", cell.server() + " " + cell.text("rate", "%,.0f")));
      y += BAR;
    }
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + WIDTH + "\" height=\"" + (y + 14) + "\" "
        + "font-family=\"sans-serif\" font-size=\"12\">\n"
        + "<title>Messages a second that each server stored</title>\n"
        + "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
        + text(LABELS, 24, "start", "#555", "messages a second, 1,000 at the left edge, each power of ten as wide")
        + svg + "</svg>\n";
  }

  private static String text(int x, int y, String anchor, String colour, String words) {
    return String.format(Locale.ROOT, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" fill=\"%s\">%s</text>%n", x, y, anchor, colour, words);
  }
}

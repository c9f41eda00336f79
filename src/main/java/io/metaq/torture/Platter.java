package io.metaq.torture;

import io.metaq.model.OwnedBy;
import io.metaq.store.Disk;
import io.metaq.torture.PlatterFile.Luck;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * A disk that knows what is on its platter. Files lie in a folder of the real disk, so that everything works as always; beside them is
 * kept what was forced. {@link #cut} makes a new folder of what would be there after a power cut at this moment: everything forced, and
 * of all else what chance decides. Nothing is forced in truth, so it is quick.
 *
 * <p>Harder than real file systems where they differ: a forced file whose name was not forced is lost, a folder must be forced in the one
 * above it, folders do not wait for one another, unforced pages survive in any order. Only changes of names in one folder keep theirs.
 *
 * <p>Files and folders that are made, and files that vanish, without a word to the disk are noticed by the next call.
 */
@OwnedBy("the thread of the round")
public final class Platter implements Disk, AutoCloseable {
  /** Called around each force, where other threads would go on, or the power may go. */
  public interface Moments {
    /** Before anything is forced. */
    void before();

    /** What was there is forced, but the caller does not know yet. */
    void meanwhile();
  }

  /** A file or a folder. */
  sealed interface Node permits PlatterFile, Folder {}

  /** Names in a folder: as they are now, and as they surely are on the disk. */
  private static final class Folder implements Node {
    private final Map<String, Node> now = new TreeMap<>();
    private final Map<String, Node> sure = new TreeMap<>();
  }

  /** A name that got a file, or lost it. */
  private record Name(Folder folder, String name, Node node) {
    void apply(Function<Folder, Map<String, Node>> view) {
      if (node == null) {
        view.apply(folder).remove(name);
      } else {
        view.apply(folder).put(name, node);
      }
    }
  }

  /** Names that change together. */
  private record Change(List<Name> names) {
    void reach(Function<Folder, Map<String, Node>> view) {
      names.forEach(name -> name.apply(view));
    }

    Set<Folder> folders() {
      Set<Folder> folders = new HashSet<>();
      names.forEach(name -> folders.add(name.folder));
      return folders;
    }
  }

  private final Path root;
  private final Moments moments;
  private final Folder top = new Folder();
  private final List<PlatterFile> files = new ArrayList<>();
  /** Changes of names that are not surely on the disk, oldest first. */
  private final List<Change> unforced = new ArrayList<>();

  /** A disk of the folder {@code root}; what is in it is on the platter. */
  public Platter(Path root, Moments moments) throws IOException {
    this.root = root;
    this.moments = moments;
    observe(root, top);
    for (PlatterFile file : files) {
      file.force();
    }
    unforced.forEach(change -> change.reach(folder -> folder.sure));
    unforced.clear();
  }

  @Override
  public void force(Path file, FileChannel channel, boolean attributesToo) throws IOException {
    moments.before();
    observe(root, top);
    if (node(file) instanceof PlatterFile known) {
      known.force();
    }
    moments.meanwhile();
  }

  @Override
  public void force(Path file, MappedByteBuffer bytes, int from, int to) throws IOException {
    moments.before();
    observe(root, top);
    if (node(file) instanceof PlatterFile known) {
      known.force(from, to);
    }
    moments.meanwhile();
  }

  @Override
  public void forceNames(Path path) throws IOException {
    moments.before();
    observe(root, top);
    if (node(path) instanceof Folder folder) {
      unforced.removeIf(change -> {
        boolean reached = change.folders().contains(folder);
        if (reached) {
          change.reach(any -> any.sure);
        }
        return reached;
      });
    }
    moments.meanwhile();
  }

  @Override
  public void move(Path from, Path to) throws IOException {
    observe(root, top);
    Disk.real().move(from, to);
    Node moved = node(from);
    change(new Change(List.of(
        new Name(folder(from), from.getFileName().toString(), null), new Name(folder(to), to.getFileName().toString(), moved))));
  }

  @Override
  public void link(Path file, Path second) throws IOException {
    observe(root, top);
    Disk.real().link(file, second);
    change(new Change(List.of(new Name(folder(second), second.getFileName().toString(), node(file)))));
  }

  @Override
  public void delete(Path file) throws IOException {
    observe(root, top);
    if (node(file) != null) {
      Disk.real().delete(file);
      change(new Change(List.of(new Name(folder(file), file.getFileName().toString(), null))));
    }
  }

  /** Writes what the power cut leaves into the folder {@code target}, which must be empty. */
  public void cut(Path target, RandomGenerator random) throws IOException {
    observe(root, top);
    write(top, namesLeft(random), target, random);
  }

  @Override
  public void close() throws IOException {
    for (PlatterFile file : files) {
      file.close();
    }
  }

  /** Each folder's changes up to some moment; at times one moment for all, as a journal would have it. */
  private Function<Folder, Map<String, Node>> namesLeft(RandomGenerator random) {
    Map<Folder, Map<String, Node>> copies = new HashMap<>();
    Function<Folder, Map<String, Node>> left = folder -> copies.computeIfAbsent(folder, any -> new TreeMap<>(any.sure));
    boolean journal = random.nextBoolean();
    double share = random.nextInt(3) == 0 ? random.nextInt(2) : random.nextDouble();
    Set<Folder> ended = new HashSet<>();
    for (Change change : unforced) {
      boolean kept = change.folders().stream().noneMatch(ended::contains) && !(journal && !ended.isEmpty())
          && random.nextDouble() < share;
      if (kept) {
        change.reach(left);
      } else {
        ended.addAll(change.folders());
      }
    }
    return left;
  }

  private void write(Folder folder, Function<Folder, Map<String, Node>> names, Path target, RandomGenerator random)
      throws IOException {
    Files.createDirectories(target);
    for (Map.Entry<String, Node> entry : names.apply(folder).entrySet()) {
      Path path = target.resolve(entry.getKey());
      if (entry.getValue() instanceof PlatterFile file) {
        Luck[] lucks = Luck.values();
        Files.write(path, file.afterCut(lucks[random.nextInt(lucks.length)], random));
      } else if (entry.getValue() instanceof Folder below) {
        write(below, names, path, random);
      }
    }
  }

  /** Takes in what was made or has vanished since the last look. */
  private void observe(Path path, Folder folder) throws IOException {
    Map<String, Path> there = new TreeMap<>();
    try (Stream<Path> children = Files.list(path)) {
      children.forEach(child -> there.put(child.getFileName().toString(), child));
    }
    for (String name : List.copyOf(folder.now.keySet())) {
      if (!there.containsKey(name)) {
        change(new Change(List.of(new Name(folder, name, null))));
      }
    }
    for (Map.Entry<String, Path> entry : there.entrySet()) {
      Node known = folder.now.get(entry.getKey());
      if (known == null) {
        known = made(entry.getValue());
        change(new Change(List.of(new Name(folder, entry.getKey(), known))));
      }
      if (known instanceof Folder below) {
        observe(entry.getValue(), below);
      }
    }
  }

  private Node made(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      return new Folder();
    }
    PlatterFile file = PlatterFile.open(path);
    files.add(file);
    return file;
  }

  private void change(Change change) {
    change.reach(folder -> folder.now);
    unforced.add(change);
  }

  private Folder folder(Path file) {
    return (Folder) node(file.getParent());
  }

  /** What has this name now; null when nothing has. */
  private Node node(Path path) {
    Node node = top;
    for (Path name : root.relativize(path)) {
      if (name.toString().isEmpty()) {
        return node;
      }
      if (!(node instanceof Folder folder)) {
        return null;
      }
      node = folder.now.get(name.toString());
    }
    return node;
  }
}

package io.metaq.bridge;

import io.metaq.model.OwnedBy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Makes a script of ours short: leaves out comments and blanks, and gives short names to what nobody outside of the script is to see:
 * {@code #members}, {@code _members}, constants in capitals. It takes scripts whose statements end with semicolons, none of which is
 * empty, with no property named as such a constant, and with no {@code /} but in comments and divisions: of regular expressions it knows
 * nothing. Why it is
 * there: docs/adr/0028.
 */
@OwnedBy("whoever makes a script short")
final class CompactScript {
  private static final Pattern WORD = Pattern.compile("#?[A-Za-z0-9_$]+");
  private static final Pattern CONSTANT = Pattern.compile("^const ([A-Z][A-Z_]+) =", Pattern.MULTILINE);
  private static final String LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  private static final int NOTHING = '\n';

  private final String source;
  private final StringBuilder out = new StringBuilder();
  /** By the long name; what keeps its name is not in it. */
  private final Map<String, String> shortNames = new HashMap<>();
  private int at;

  private CompactScript(String source) {
    this.source = source;
    Set<String> taken = new HashSet<>(WORD.matcher(source).results().map(MatchResult::group).toList());
    CONSTANT.matcher(source).results().forEach(constant -> shorten(constant.group(1), "", taken));
    WORD.matcher(source).results().map(MatchResult::group).filter(word -> word.startsWith("#") || word.startsWith("_")).distinct()
        .forEach(member -> shorten(member, member.substring(0, 1), taken));
  }

  static String of(String source) {
    CompactScript script = new CompactScript(source);
    script.code();
    return script.out.append('\n').toString();
  }

  private void shorten(String name, String prefix, Set<String> taken) {
    for (int n = 0; !shortNames.containsKey(name); n++) {
      String candidate = prefix + (n < LETTERS.length() ? "" : LETTERS.charAt(n / LETTERS.length() - 1)) + LETTERS.charAt(n % LETTERS.length());
      if (taken.add(candidate)) {
        shortNames.put(name, candidate);
      }
    }
  }

  /** Up to the brace that closes what was open before, or to the end. */
  private void code() {
    int depth = 0;
    for (boolean gap = skipped(); at < source.length(); gap = skipped()) {
      char next = source.charAt(at);
      if (next == '}' && depth-- == 0) {
        return;
      }
      if (next == '{') {
        depth++;
      }
      if (gap && runsTogether(last(), next)) {
        out.append(' ');
      }
      token(next);
    }
  }

  private void token(char first) {
    if (first == '\'' || first == '"') {
      text(first);
    } else if (first == '`') {
      template();
    } else if (isWord(first)) {
      int from = at;
      skip(CompactScript::isWord);
      String word = source.substring(from, at);
      out.append(shortNames.getOrDefault(word, word));
    } else {
      if (first == '}' && last() == ';') {
        out.setLength(out.length() - 1);
      }
      out.append(first);
      at++;
    }
  }

  /** Passes over blanks and comments; tells whether there were any. */
  private boolean skipped() {
    int from = at;
    for (int before = -1; before != at;) {
      before = at;
      skip(Character::isWhitespace);
      if (source.startsWith("//", at)) {
        skip(character -> character != '\n');
      } else if (source.startsWith("/*", at)) {
        at = source.indexOf("*/", at) + 2;
      }
    }
    return at > from;
  }

  private void text(char quote) {
    do {
      character();
    } while (source.charAt(at) != quote);
    character();
  }

  private void template() {
    do {
      if (source.startsWith("${", at)) {
        character();
        character();
        code();
      }
      character();
    } while (source.charAt(at) != '`');
    character();
  }

  /** As it stands; with the one behind it, when that has no meaning of its own. */
  private void character() {
    if (source.charAt(at) == '\\') {
      out.append(source.charAt(at++));
    }
    out.append(source.charAt(at++));
  }

  private void skip(IntPredicate characters) {
    while (at < source.length() && characters.test(source.charAt(at))) {
      at++;
    }
  }

  private int last() {
    return out.isEmpty() ? NOTHING : out.charAt(out.length() - 1);
  }

  private static boolean runsTogether(int left, int right) {
    return isWord(left) && isWord(right) || left == right && (left == '+' || left == '-');
  }

  private static boolean isWord(int character) {
    return character == '#' || character == '_' || character == '$' || Character.isLetterOrDigit(character);
  }
}

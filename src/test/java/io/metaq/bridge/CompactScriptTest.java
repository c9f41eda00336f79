package io.metaq.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scripts made short say the same. */
class CompactScriptTest {
  /** Comments too, which are left out afterwards; a template is one token here. */
  private static final Pattern TOKEN = Pattern.compile(
      "//[^\n]*|/\\*.*?\\*/|'(?:\\\\.|[^'\\\\])*'|\"(?:\\\\.|[^\"\\\\])*\"|`[^`]*`|[#\\w$]+|[^\\s]", Pattern.DOTALL);
  private static final Pattern NAME = Pattern.compile("[#\\w$]+");

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
    "a = b + c; // sum                     | a=b+c;",
    "/** what */ a = b /* or */ / c;       | a=b/c;",
    "let x = typeof y;                     | let x=typeof y;",
    "a + +b; a - -b; a++ + ++b;            | a+ +b;a- -b;a++ + ++b;",
    "f() { return { a: 1, }; }             | f(){return{a:1,}}",
    "s = 'it''s // no { comment';          | s='it''s // no { comment';",
    "s = 'a\\' b  c';                      | s='a\\' b  c';",
    "s = \"/* a  ' b */\" + c;             | s=\"/* a  ' b */\"+c;",
    "s = `a  // ${ b + `${ c }  ;}` } \\` d` ; | s=`a  // ${b+`${c}  ;}`} \\` d`;",
    "s = `${ f({ a: { b } }) }`;           | s=`${f({a:{b}})}`;",
    "n = 10_000 * 0.5;                     | n=10_000*0.5;"})
  void shouldLeaveOutWhatOnlyReadersNeed(String source, String compact) {
    assertThat(CompactScript.of(source)).isEqualTo(compact + '\n');
  }

  @Test
  void shouldShortenWhatNobodyOutsideSeesAndNothingElse() {
    String source = """
        const LIMIT = 5;
        const a = { text: 'LIMIT #count _take', URL };
        class C { #count = LIMIT; _take() { return `${this.#count} of #count`; } get count() { return b.LIMIT_S; } }
        """;

    assertThat(CompactScript.of(source)).isEqualTo(
        "const c=5;const a={text:'LIMIT #count _take',URL};class C{#a=c;_a(){return`${this.#a} of #count`}get count(){return b.LIMIT_S}}\n");
  }

  @Test
  void shouldGiveNoNameTwice() {
    String source = IntStream.range(0, 60).mapToObj(n -> "x.#member" + n + ";").reduce("#a;#b;", String::concat);

    List<String> names = NAME.matcher(CompactScript.of(source)).results().map(MatchResult::group).filter(name -> !name.equals("x")).toList();

    assertThat(names).hasSize(62).doesNotHaveDuplicates().allMatch(name -> name.length() <= 3);
  }

  @Test
  void shouldKeepEveryTokenOfTheModule() {
    String source = new String(StaticFile.bytes("metaq.js"), StandardCharsets.UTF_8);
    List<String> written = tokens(source);
    List<String> served = tokens(CompactScript.of(source));
    Map<String, String> names = new HashMap<>();
    for (int i = 0; i < Math.min(written.size(), served.size()); i++) {
      if (NAME.matcher(written.get(i)).matches()) {
        assertThat(names.merge(written.get(i), served.get(i), (before, now) -> now)).isEqualTo(served.get(i));
      }
    }

    assertThat(served).isEqualTo(written.stream().map(token -> token.startsWith("'") ? token
        : NAME.matcher(token).replaceAll(name -> Matcher.quoteReplacement(names.getOrDefault(name.group(), name.group())))).toList());
    assertThat(new HashSet<>(names.values())).hasSameSizeAs(names.keySet());
    assertThat(names).allSatisfy((name, shortName) -> {
      if (!name.matches("[#_].*|[A-Z][A-Z_]+")) {
        assertThat(shortName).isEqualTo(name);
      }
    });
  }

  /** Without comments, and without a semicolon before a brace. */
  private static List<String> tokens(String script) {
    List<String> tokens = TOKEN.matcher(script).results().map(MatchResult::group)
        .filter(token -> !token.startsWith("//") && !token.startsWith("/*")).toList();
    return IntStream.range(0, tokens.size())
        .filter(i -> !tokens.get(i).equals(";") || i + 1 == tokens.size() || !tokens.get(i + 1).equals("}")).mapToObj(tokens::get).toList();
  }
}

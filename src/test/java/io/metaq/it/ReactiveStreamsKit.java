package io.metaq.it;

import static org.assertj.core.api.Assertions.assertThat;

import org.testng.ITestResult;
import org.testng.TestListenerAdapter;
import org.testng.TestNG;

/**
 * Runs sets of tests of Reactive Streams' compatibility kit, one test at a time: the kit gathers the errors of all that a set has running,
 * so that a test would meet those of its neighbour.
 */
public final class ReactiveStreamsKit {
  /** What the kit does not test itself, and the optional rule of many subscribers that see the same. */
  private static final String MAY_BE_SKIPPED = "untested_.*|optional_spec111_.*";

  private ReactiveStreamsKit() {}

  /**
   * Fails unless every test passes.
   *
   * @param factory makes one object for each set of tests, in a method with the kit's annotation
   * @param atLeast so many tests must have run, or this would hold although nothing was tested
   */
  public static void shouldPass(Class<?> factory, int atLeast) {
    TestListenerAdapter results = new TestListenerAdapter();
    TestNG tests = new TestNG(false);
    tests.setTestClasses(new Class<?>[] {factory});
    tests.addListener(results);

    tests.run();

    assertThat(results.getFailedTests()).extracting(ReactiveStreamsKit::text).isEmpty();
    assertThat(results.getConfigurationFailures()).extracting(ReactiveStreamsKit::text).isEmpty();
    assertThat(results.getSkippedTests()).extracting(ITestResult::getName).allSatisfy(name -> assertThat(name).matches(MAY_BE_SKIPPED));
    assertThat(results.getPassedTests()).hasSizeGreaterThanOrEqualTo(atLeast);
  }

  private static String text(ITestResult failed) {
    return failed.getInstance() + "." + failed.getMethod().getMethodName() + ": " + failed.getThrowable();
  }
}

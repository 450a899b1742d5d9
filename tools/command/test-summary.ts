import type {
  FullConfig,
  FullResult,
  Reporter,
  Suite,
  TestCase,
  TestResult,
} from '@playwright/test/reporter';
import { progressLine } from 'candleproof/cli/words/output';

/** Says little while tests pass, all about those that fail, and closes with the line that pipelines read. */
export default class TestSummary implements Reporter {
  private suite: Suite | undefined;
  private readonly progress = progressLine();
  private ended = 0;
  private isThorough = true;

  onBegin({ grepInvert }: Pick<FullConfig, 'grepInvert'>, suite: Suite): void {
    this.isThorough = grepInvert === null;
    this.suite = suite;
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    this.progress.clear();
    this.report(test, result);
    this.ended += 1;
    this.progress.show(`${this.ended} of ${this.suite?.allTests().length ?? 0} tests`);
  }

  private report(test: TestCase, result: TestResult): void {
    if (result.status === 'skipped') {
      const reason =
        test.annotations.find((annotation) => annotation.type === 'skip')?.description ?? 'no reason given';
      process.stdout.write(`left out: ${title(test)}: ${reason}\n`);
      return;
    }
    if (test.ok()) return;
    const errors = result.errors.map((error) => error.stack ?? error.message ?? error.value ?? '').join('\n');
    process.stdout.write(`\nFAILED ${title(test)}\n${errors}\n`);
  }

  onError(error: { message?: string; stack?: string }): void {
    process.stdout.write(`\nFAILED outside any test\n${error.stack ?? error.message ?? ''}\n`);
  }

  onEnd(result: FullResult): void {
    this.progress.clear();
    const outcomes = (this.suite?.allTests() ?? []).map((test) => test.outcome());
    const count = (wanted: string[]): number => outcomes.filter((outcome) => wanted.includes(outcome)).length;
    const skipped = count(['skipped']);
    const failed = Math.max(count(['unexpected']), result.status === 'passed' ? 0 : 1);
    if (!this.isThorough)
      process.stdout.write(
        `\nleft out: ${process.env.CI === 'true' ? '' : 'endurance, which CI=true npm test has, and '}further cases of some tests, which CANDLEPROOF_THOROUGH=1 npm test has\n`,
      );
    const leftOut = skipped > 0 ? `, ${skipped} left out for the reasons above` : '';
    process.stdout.write(`\n${(result.duration / 1000).toFixed(1)} s${leftOut}\n`);
    process.stdout.write(`${count(['expected', 'flaky'])} passed, ${failed} failed\n`);
  }

  printsToStdio(): boolean {
    return true;
  }
}

function title(test: TestCase): string {
  return test.titlePath().filter(Boolean).join(' › ');
}

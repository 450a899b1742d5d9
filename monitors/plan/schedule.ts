/** In ms. */
const second = 1000;

/**
 * Calls the work at every whole second of Unix time, which knows no zones; a second that begins while the work of one
 * before is still going is left out. `onSecond` is called at each of them all the same. The result ends it, and resolves
 * when no work is under way.
 */
export function everySecond(
  work: () => Promise<void>,
  onSecond: () => void = () => undefined,
): () => Promise<void> {
  let timer: NodeJS.Timeout;
  let running: Promise<void> | undefined;
  const beat = (): void => {
    arm();
    onSecond();
    running ??= work().finally(() => {
      running = undefined;
    });
  };
  const arm = (): void => {
    timer = setTimeout(beat, second - (Date.now() % second));
  };
  arm();
  return async () => {
    clearTimeout(timer);
    await running;
  };
}

// Requests the same candle four times a second.
import { get, pause, target } from './double.mjs';

for (;;) {
  await get(target(0));
  await pause(250);
}

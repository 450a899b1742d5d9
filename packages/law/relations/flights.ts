import type { Answer } from '../reading/reading.ts';

/** Exchanges that were under way together: the server may have taken them in any order. */
export type Flight = readonly Answer[];

/** The flights of a recording, in the order in which they were sent; most are of one exchange. */
export function groupFlights(answers: readonly Answer[]): Flight[] {
  const flights: Answer[][] = [];
  let landed = Number.NEGATIVE_INFINITY;
  for (const answer of answers) {
    const current = flights.at(-1) ?? [];
    const isTogether = isSentBefore(answer, landed) && !follows(answer, current);
    if (isTogether) current.push(answer);
    else flights.push([answer]);
    landed = Math.max(isTogether ? landed : endTime(answer), endTime(answer));
  }
  return flights;
}

/** Returns whether a request was sent when the other one had been answered. */
export function wasSentAfter(answer: Answer, earlier: Answer): boolean {
  return sendTime(answer) >= endTime(earlier);
}

/** The least time between two instants of a recording, in ms. */
const clockTick = 1;

/** Returns whether the answer's request was sent before an instant; its sender knows that better than its coarse clock. */
function isSentBefore(answer: Answer, landed: number): boolean {
  const { sentBeside } = answer.exchange;
  if (sentBeside === undefined) return sendTime(answer) < landed;
  // Requests of other senders may be in the recording, too.
  return sentBeside || sendTime(answer) + clockTick <= landed;
}

/** One connection carries one exchange at a time, however coarse the clock is. */
function follows({ exchange: { connection } }: Answer, flight: Flight): boolean {
  return (
    connection !== undefined && flight.every((answer) => answer.exchange.connection?.id === connection.id)
  );
}

function sendTime({ exchange }: Answer): number {
  return Date.parse(exchange.startedAt);
}

/** Returns the end of an exchange; without recorded timings anything sent later may overlap it. */
function endTime(answer: Answer): number {
  const { recorder, timings } = answer.exchange;
  return recorder?.timesUnknown ? Number.POSITIVE_INFINITY : sendTime(answer) + timings.total;
}

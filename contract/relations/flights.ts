import type { Answer } from '../reading/reading.ts';

/** Exchanges that were under way together: the server may have taken them in any order. */
export type Flight = readonly Answer[];

/** The flights of a recording, in the order in which they were sent; most are of one exchange. */
export function groupFlights(answers: readonly Answer[]): Flight[] {
  const flights: Answer[][] = [];
  let landed = Number.NEGATIVE_INFINITY;
  for (const answer of answers) {
    const current = flights.at(-1) ?? [];
    const isTogether = sendTime(answer) < landed && !follows(answer, current);
    if (isTogether) current.push(answer);
    else flights.push([answer]);
    landed = Math.max(isTogether ? landed : endTime(answer), endTime(answer));
  }
  return flights;
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

import { judgeIt } from './breach-case.ts';
import { type NamedRecording, record } from './recorded.ts';
import { usualWorld, type World } from './world.ts';

/** What a run in this world answers, by question. */
export function answersOf(world: World): Map<string, string> {
  return new Map(judgeIt(record(world)).observations.map((each) => [each.id, each.answer]));
}

/** The answer in the usual world, with some of its choices made otherwise. */
export function inWorld(id: string, choice: Partial<World> = {}): string | undefined {
  return answerIn(id, record({ ...usualWorld, ...choice }));
}

export function answerIn(id: string, recorded: NamedRecording): string | undefined {
  return judgeIt(recorded).observations.find((each) => each.id === id)?.answer;
}

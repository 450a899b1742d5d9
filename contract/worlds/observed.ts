import { judgeIt } from './breach-case.ts';
import { type NamedRecording, record } from './recorded.ts';
import { usualWorld, type World } from './world.ts';

/** Returns a run's answers in this world, by question. */
export function observeAnswers(world: World): Map<string, string> {
  return new Map(
    judgeIt(record(world)).observations.map((observation) => [observation.id, observation.answer]),
  );
}

/** Returns the answer in the usual world with some choices changed. */
export function answerInWorld(id: string, choice: Partial<World> = {}): string | undefined {
  return findAnswer(id, record({ ...usualWorld, ...choice }));
}

/** Returns a recording's answer to a question. */
export function findAnswer(id: string, recorded: NamedRecording): string | undefined {
  return judgeIt(recorded).observations.find((observation) => observation.id === id)?.answer;
}

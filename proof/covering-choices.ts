import covertable from 'covertable';
import type { Choices } from '../service/api/choices.ts';

/** Days after Thursday on which weeks can begin: Monday, Thursday, Sunday, Saturday. */
const weekStarts = [4, 0, 3, 2];

/** All options of a healthy service where the document leaves a choice. */
const open: { readonly [name in Exclude<keyof Choices, 'keyRequired'>]: readonly Choices[name][] } = {
  missingKeyStatus: [401, 403],
  errorBody: ['problem', 'message'],
  weekAnchor: weekStarts.map((days) => days * 86_400),
  membership: ['end-in-range', 'start-in-range'],
  openInHistory: [true, false],
  openEnd: ['last-sample', 'interval-end'],
  extraFields: [false, true],
  quotaZone: ['UTC', 'Etc/GMT+4', 'Europe/London'],
  overLimit: ['served', 'refused'],
  order: ['ascending', 'descending'],
};

/** Combinations in which every pair of options of two choices occurs at least once. */
export const coveringChoices: readonly Partial<Choices>[] = covertable.make(
  open as never,
  {},
) as Partial<Choices>[];

/** Lists the pairs of options that no combination covers. */
export function listUncovered(choices: readonly Partial<Choices>[]): string[] {
  const names = Object.keys(open) as (keyof typeof open)[];
  return names.flatMap((one, index) =>
    names
      .slice(index + 1)
      .flatMap((other) =>
        open[one].flatMap((a) =>
          open[other].flatMap((b) =>
            choices.some((choice) => choice[one] === a && choice[other] === b)
              ? []
              : [`${one}=${a} with ${other}=${b}`],
          ),
        ),
      ),
  );
}

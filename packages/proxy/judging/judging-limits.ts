/** Answers over which rules of several answers are judged: a busy page requests as many in some minutes. */
export const windowAnswers = 512;

/** Total bytes of their bodies; the parsed data takes about ten times as much. */
export const windowBytes = 16 << 20;

/** Longest body that is judged, encoded and decoded: a year of hours has 2.2 million bytes. */
export const maxBodyBytes = 4 << 20;

/** Exchanges, and bytes of their bodies, that wait for the judge or are being copied for it. */
export const maxWaiting = 1024;
export const maxWaitingBytes = 64 << 20;

/** Exchanges that are judged together, to share the fixed cost of judging. */
export const maxTogether = 64;

/** Total bytes of their bodies; a malicious body takes twenty times as much when parsed. */
export const maxTogetherBytes = 2 << 20;

/** Least time in ms between two observations, so that some are judged together. */
export const minRestMs = 25;

/** Findings that are kept separately; a hostile target may create any number of places. */
export const maxFindings = 500;

/** Exchanges that are kept for a finding, and bytes of the bodies of all of them. */
export const maxExamples = 3;
export const maxKeptBytes = 32 << 20;

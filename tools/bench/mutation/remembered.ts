import { createHash } from 'node:crypto';
import { loadSpec as load } from '@candleproof/document/spec/load-spec';
import type { Spec } from '@candleproof/document/spec/spec';
import type { Exchange, Recording, TargetFacts } from '@candleproof/law/reading/exchange';
import { type Answer, readExchange as readAnew } from '@candleproof/law/reading/reading';
import { type Evidence, gatherEvidence as gather } from '@candleproof/law/relations/evidence';
import { type NamedRecording, record as recordAnew } from '@candleproof/law/worlds/recorded';
import type { World } from '@candleproof/law/worlds/world';
import { looked } from './switchboard.ts';

// Everything that is not cached is passed through.
export * from '@candleproof/document/spec/load-spec';
export * from '@candleproof/law/reading/reading';
export * from '@candleproof/law/relations/evidence';
export * from '@candleproof/law/worlds/recorded';

// The cached code has no mutants: worlds, specs and evidence do not change.
const specs = new Map<string, Spec>();
const worlds = new Map<string, NamedRecording>();
const evidences = new Map<string, Evidence>();
const known = new WeakMap<Exchange, string>();
const readings = new WeakMap<Exchange, WeakMap<TargetFacts, Map<number, Answer>>>();
const ofRecordings = new WeakMap<Recording, Evidence>();

/** Loads a spec once. */
export function loadSpec(file: string): Spec {
  return getOrMake(specs, file, () => load(file));
}

/** Records a world once. */
export function record(world: World): NamedRecording {
  return getOrMake(worlds, JSON.stringify(world), () => recordAnew(world));
}

/** Gathers the evidence of a recording once. */
export function gatherEvidence(spec: Spec, recording: Recording): Evidence {
  const evidence = ofRecordings.get(recording) ?? gatherByContent(spec, recording);
  ofRecordings.set(recording, evidence);
  looked.add(evidence);
  return evidence;
}

/** Shares the exchanges of recordings that differ in only one. */
export function read(spec: Spec, target: TargetFacts, exchange: Exchange, index: number): Answer {
  const ofExchange = readings.get(exchange) ?? new WeakMap<TargetFacts, Map<number, Answer>>();
  readings.set(exchange, ofExchange);
  const places = ofExchange.get(target) ?? new Map<number, Answer>();
  ofExchange.set(target, places);
  const answer = places.get(index) ?? readAnew(spec, target, exchange, index);
  places.set(index, answer);
  return answer;
}

function gatherByContent(spec: Spec, recording: Recording): Evidence {
  const exchanges = recording.exchanges.map(recordName);
  return getOrMake(evidences, JSON.stringify({ ...recording, exchanges }), () => gather(spec, recording));
}

/** Returns a key by content, as equal recordings give equal evidence. */
function recordName(exchange: Exchange): string {
  const name = known.get(exchange) ?? createHash('sha1').update(JSON.stringify(exchange)).digest('base64');
  known.set(exchange, name);
  return name;
}

function getOrMake<Value>(memory: Map<string, Value>, key: string, make: () => Value): Value {
  const value = memory.get(key) ?? make();
  memory.set(key, value);
  return value;
}

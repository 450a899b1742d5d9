import type { MonitorPlan } from './plan.ts';
import type { SlotPlan } from './slot-plan.ts';

/** A plan that holds in [from, to), in Unix ms. */
type Span = { readonly plan: SlotPlan; readonly from: number; readonly to: number };

/** Plans in sequence; the last one has no end. */
type ChangedPlan = SlotPlan & { readonly spans: readonly Span[] };

/** Number of plan changes to remember: only plans since a probe's last run are needed. */
const mostSpans = 8;

/** Joins the plan until an instant (Unix ms) and the plan from there on. */
export function changedMonitoring(before: MonitorPlan, until: number, next: MonitorPlan): MonitorPlan {
  const plans = new Map(before.probes.map(({ plan }) => [plan.id, plan]));
  const probes = next.probes.map((probe) => {
    const earlier = plans.get(probe.plan.id);
    return earlier ? { ...probe, plan: changedPlan(earlier, until, probe.plan) } : probe;
  });
  return { ...next, probes };
}

/** The same of one probe's slots. */
export function changedPlan(before: SlotPlan, until: number, next: SlotPlan): SlotPlan {
  const earlier = listSpans(before)
    .map((span) => ({ ...span, to: Math.min(span.to, until) }))
    .filter((span) => span.from < span.to);
  return joinPlans([...earlier.slice(1 - mostSpans), { plan: next, from: until, to: Infinity }], next);
}

function joinPlans(spans: readonly Span[], { id, period }: SlotPlan): ChangedPlan {
  const mapSpans = <T>(from: number, to: number, of: (plan: SlotPlan, from: number, to: number) => T): T[] =>
    spans.flatMap((span) => {
      const [first, end] = [Math.max(from, span.from), Math.min(to, span.to)];
      return first < end ? [of(span.plan, first, end)] : [];
    });
  return {
    id,
    period,
    spans,
    list: (from, to) => mapSpans(from, to, (plan, first, end) => plan.list(first, end)).flat(),
    count: (from, to) =>
      mapSpans(from, to, (plan, first, end) => plan.count(first, end)).reduce((sum, count) => sum + count, 0),
    next(after) {
      const found = spans.map(({ plan, from, to }) => {
        const at = plan.next(Math.max(after, from - 1));
        return at < to ? at : Infinity;
      });
      return Math.min(...found);
    },
  };
}

function listSpans(plan: SlotPlan): readonly Span[] {
  return isChanged(plan) ? plan.spans : [{ plan, from: -Infinity, to: Infinity }];
}

function isChanged(plan: SlotPlan): plan is ChangedPlan {
  return 'spans' in plan;
}

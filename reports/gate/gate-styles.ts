import { loadStyles } from '../load/chart.ts';

/** Tables and sections look as on the page of a load; a long name of a rule may break where its words do. */
export const gateStyles = `${loadStyles}
.wide code { overflow-wrap: anywhere; } .wide time { white-space: nowrap; }
@media (max-width: 34rem) {
  .wide:has(th:nth-child(5)) :is(th, td) { white-space: normal; } .wide time { display: inline-block; min-width: 6rem; white-space: normal; }
  .wide td:last-child:not(.amount), .wide td:nth-last-child(3):not(.amount) { min-width: 15rem; }
}
@media print { .wide time { white-space: normal; } }
`;

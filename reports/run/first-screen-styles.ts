/** What is broken, in lines under the verdict; what was requested and came back, in a finding. */
export const firstScreenStyles = `
.next { margin-top: .5rem; padding: .5rem .75rem; background: var(--sheet); border-left: 3px solid var(--warn); font-size: 1.05rem; }
.causes { margin-top: .9rem; border: 1px solid var(--line); border-radius: 4px; background: var(--sheet); overflow: hidden; }
.causes table { font-size: .88rem; } .causes th, .causes td { padding: .2rem .7rem; border: 0; } .causes tbody { border-top: 1px solid var(--line); }
.causes .cost { width: 13.4rem; } .causes col.extent { width: 19rem; }
.causes th[scope=rowgroup] { font-size: .88rem; color: var(--ink); background: var(--wash); } td.extent { color: var(--soft); }
.causes b { color: var(--warn); } .causes .level { font-size: .8rem; font-weight: 600; color: var(--soft); } .causes .with { color: var(--soft); } .causes td a { white-space: normal; } .causes .remark { padding: .3rem .7rem .45rem; font-size: .88rem; border-top: 1px solid var(--line); }
@media screen and (min-width: 52rem) { .causes td { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; } .causes td a { white-space: nowrap; } }

.request { margin-top: .7rem; font-size: .92rem; } .request > div { display: grid; grid-template-columns: 6rem minmax(0, 1fr); gap: .1rem .9rem; padding: .18rem 0; border-top: 1px solid var(--line); }
.request dt { font-weight: 600; color: var(--soft); font-size: .88rem; } .request b { font-weight: 600; } .request .command { user-select: all; }
.head-line { display: block; color: var(--soft); } .proof { margin-top: .5rem; font-size: .92rem; color: var(--soft); } .proof b { color: var(--ink); }
.exchange { margin-top: .4rem; } .exchange h3 { margin-top: .6rem; font-size: .9rem; color: var(--soft); } .exchange > div:target { outline: 2px solid var(--link); outline-offset: .4rem; }

@media (max-width: 52rem) { .causes .cost { width: 8.5rem; } .causes col.extent { width: 11rem; } }
@media (max-width: 34rem) {
  .causes table, .causes tbody { display: block; } .causes tr { padding: .3rem .7rem; } .causes th[scope=rowgroup] { flex-basis: 100%; padding: .1rem .4rem; margin-bottom: .15rem; } .causes td { flex-basis: 100%; padding: 0; }
  .request > div { grid-template-columns: 1fr; }
}
`;

import { sampleRehearsal } from '../testing/sample-rehearsal.ts';
import { testWholePage } from '../testing/whole-page.ts';
import { rehearsalPage } from './rehearsal-page.ts';

testWholePage('a rehearsal', () => rehearsalPage(sampleRehearsal));

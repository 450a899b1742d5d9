import { testWholePage } from '@candleproof/reports/testing/whole-page';
import { sampleRehearsal } from '../testing/sample-rehearsal.ts';
import { rehearsalPage } from './rehearsal-page.ts';

testWholePage('a rehearsal', () => rehearsalPage(sampleRehearsal));

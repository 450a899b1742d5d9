import { testSection } from './support/section.ts';

testSection('2.2');

import { cpus } from 'node:os';
import type { FaultFigures } from '../parts/faults.ts';
import type { LatencyFigures } from '../parts/latency.ts';
import type { RateLimitFigures } from '../parts/rate-limit.ts';
import type { RotationFigures } from '../parts/rotation.ts';
import type { ScaleFigures } from '../parts/scale.ts';
import type { BytesFigures, StartFigures } from '../parts/start.ts';
import type { Plan } from '../plan.ts';
import type { StudyFigures } from '../schedule/study.ts';
import { aimsSection } from './aims.ts';
import { plots } from './plots.ts';
import { scheduleSection } from './schedule-section.ts';
import {
  faultSection,
  introduction,
  latencySection,
  rateLimitSection,
  rotationSection,
  scaleSection,
  startSection,
} from './sections.ts';

/** Everything that one run measured. */
export interface Figures {
  readonly quick: boolean;
  /** Milliseconds of `node -e 0` at the beginning: how fast and how busy the machine was. */
  readonly bareMs: number;
  readonly minutes: number;
  readonly plan: Plan;
  readonly start: readonly StartFigures[];
  readonly bytes: readonly BytesFigures[];
  readonly rotation: readonly RotationFigures[];
  readonly schedules: readonly StudyFigures[];
  readonly latency: readonly LatencyFigures[];
  readonly scale: readonly ScaleFigures[];
  readonly rateLimit: readonly RateLimitFigures[];
  readonly faults: readonly FaultFigures[];
}

/** The page and its plots, by their names in the folder. */
export function writePage(figures: Figures): Record<string, string> {
  const machine = `${cpus().length} cores, ${process.platform}, Node ${process.versions.node}`;
  const sections = [
    introduction(figures, machine),
    aimsSection(figures),
    latencySection(figures),
    scheduleSection(figures),
    scaleSection(figures),
    rateLimitSection(figures),
    faultSection(figures),
    startSection(figures),
    rotationSection(figures),
  ];
  return { 'README.md': `${sections.join('\n\n')}\n`, ...plots(figures) };
}

import { guard } from './runner/guard.ts';

// The guard comes first and alone: whatever happens while the rest is loaded is already its business.
guard(() => import('./main.ts'));

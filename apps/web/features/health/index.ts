export { EventFeed } from './event-feed';
export { EventsSection } from './events-section';
export { HealthBadge, VerdictBadge } from './health-badge';
export { HealthCard } from './health-card';
export { type Judged, shownVerdict } from './shown-verdict';

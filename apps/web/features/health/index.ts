export { EventFeed } from './event-feed';
export { EventsSection } from './events-section';
export { HealthBadge } from './health-badge';
export { HealthCard } from './health-card';

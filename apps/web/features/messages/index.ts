export { MessagesSection } from './messages-section';

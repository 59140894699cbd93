export { MembersPage } from './members-page';

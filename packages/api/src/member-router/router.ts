import { router } from '../trpc/trpc.ts';
import { changeMemberRole } from './change-member-role.ts';
import { leaveOrganization } from './leave-organization.ts';
import { removeMember } from './remove-member.ts';
import { transferOwnership } from './transfer-ownership.ts';

export const memberRouter = router({
  changeRole: changeMemberRole,
  remove: removeMember,
  leave: leaveOrganization,
  transferOwnership,
});

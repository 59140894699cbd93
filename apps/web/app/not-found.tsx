import { StatusPage } from '../features/site';

export default function NotFound() {
  return (
    <StatusPage
      code="404"
      title="There is nothing at this address"
      text="The page may have moved, or the link may be incomplete. Nothing of yours was changed."
    />
  );
}

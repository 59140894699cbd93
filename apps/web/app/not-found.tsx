import { StatusPage } from '../features/site';

export default function NotFound() {
  return (
    <StatusPage code="404" title="Page not found" text="The page may have moved, or the link may be incomplete." />
  );
}

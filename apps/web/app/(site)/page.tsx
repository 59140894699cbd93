import { HomePage } from '../../features/marketing';

export default function Page() {
  return <HomePage />;
}

import { ClustersPage } from '../../features/clusters';

export default function Page() {
  return <ClustersPage />;
}

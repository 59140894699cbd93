// The worker that computes estimates and analyses.
import { createEstimator, type Question } from './estimator';

const answer = createEstimator((result) => self.postMessage(result));

self.addEventListener('message', ({ data }: MessageEvent<Question>) => answer(data));

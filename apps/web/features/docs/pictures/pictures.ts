// The diagrams by the names that pages use.
import { DataPathPicture } from './data-path';
import { DurableProducePicture } from './durable-produce';
import { JournalPicture } from './journal';
import { ZonesPicture } from './zones';

export const pictures = { DataPathPicture, DurableProducePicture, JournalPicture, ZonesPicture };

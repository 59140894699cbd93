// Why operations don't ask for a proof of identity, and why only the dashboard has them, where several share a reason.

// No proof of identity.
export const TAKES_RIGHTS_AWAY = 'It only takes rights away, and must not delay a person who has found an intruder.';
export const OWN_ACCOUNT = 'It changes nothing but what the person sees or belongs to.';
export const DAILY_WORK = 'It is daily work, gives nobody access, and deletes no records.';
export const STRIPE_ASKS =
  'It opens a page of Stripe’s, or settles what is owed. No address and no card is changed here.';

// No route.
export const PERSONAL =
  'It is about the person who is signed in; a key belongs to an organization and is nobody in it.';
export const STRIPE_PAGE = 'It sends a browser to a page of Stripe’s and takes it back; no program types a card.';
export const CHOOSES_ORGANIZATION = 'A session chooses where it works; a key opens one organization for good.';
export const SIGN_INS =
  'It is about how people sign in, and an owner proves to be at hand to change it. A key has no session.';
export const AFTER_THE_END = 'It is for those who owned an organization that is deleted; its keys ended with it.';

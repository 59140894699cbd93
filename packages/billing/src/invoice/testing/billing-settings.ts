// The seller in tests.
import type { InvoiceSettings } from '../invoice-settings.ts';

export const settings: InvoiceSettings = {
  seller: {
    name: 'Penstock Example GmbH',
    address: ['1 Sluice Street', '10115 Berlin', 'Germany'],
    email: 'billing@penstock.example',
    taxId: 'DE123456789',
  },
  transferDetails: ['Bank: Example Bank', 'IBAN: DE00 0000 0000 0000 0000 00'],
  isStripeConfigured: false,
  webUrl: 'https://app.penstock.example',
};

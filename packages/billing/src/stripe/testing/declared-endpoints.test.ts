// Tests the checker itself, with the installed library: what it accepts and what it detects.
import { describe, expect, test } from 'vitest';
import { declaredEndpoints } from './declared-endpoints.ts';
import { decodeForm } from './form-body.ts';

const endpoints = declaredEndpoints();
const faults = (method: string, path: string, form: string): string[] =>
  endpoints.faultsOf(method, path, decodeForm(form));

describe('requests compared with the library’s declarations', () => {
  test.each([
    [
      'POST',
      '/v1/invoices',
      'customer=cus_1&auto_advance=false&metadata[penstock_key]=x&collection_method=charge_automatically',
    ],
    ['POST', '/v1/invoices/in_1/pay', 'off_session=true'],
    ['POST', '/v1/invoiceitems', 'customer=cus_1&amount=-5&period[start]=1&period[end]=2'],
    ['POST', '/v1/customers', 'name=Acme&address[line1]=x&address[postal_code]='],
    ['POST', '/v1/customers/cus_1', 'address=&invoice_settings[default_payment_method]=pm_1'],
    ['GET', '/v1/customers/search', "query=metadata['a']:'b'&limit=1"],
    ['GET', '/v1/invoices/in_1', 'expand[0]=payments'],
  ])('%s %s with %s is accepted', (method, path, form) => {
    expect(faults(method, path, form)).toEqual([]);
  });

  test.each([
    ['an unknown field', '/v1/invoices', 'customer=cus_1&autoAdvance=false', 'autoAdvance is not declared'],
    ['an unknown field deep inside', '/v1/customers', 'address[postcode]=1', 'address is none of what is declared'],
    ['text for a number', '/v1/invoiceitems', 'amount=12,50', 'amount is no number'],
    ['text for a boolean', '/v1/invoices', 'auto_advance=no', 'auto_advance is no boolean'],
    ['a name outside an enumeration', '/v1/invoices', 'collection_method=card', 'collection_method is none of'],
    ['a value for a list', '/v1/invoices', 'expand=payments', 'expand is no list'],
    ['a missing field', '/v1/credit_notes', 'amount=5', 'invoice is missing'],
    ['an endpoint that there is not', '/v1/invoices/in_1/collect', '', 'the library has no call'],
  ])('%s is detected', (_what, path, form, message) => {
    expect(faults('POST', path, form).join('; ')).toContain(message);
  });
});

// Client-safe door of the account pages.
export { authClient } from './auth-client';
export { newPassword } from './auth-inputs';
export { AuthPage, TextLink } from './auth-page';
export { ConfirmIdentity } from './confirm-identity';
export { FinishSignUpForm } from './finish-sign-up-form';
export { ForgotPasswordForm } from './forgot-password-form';
export { PasswordField } from './password-field';
export { CodeForm, PasswordForm } from './proof-forms';
export { ResetLinkNotUsable, ResetPasswordForm } from './reset-password-form';
export { safeNextPath } from './safe-next-path';
export { SignInForm } from './sign-in-form';
export { SignUpForm } from './sign-up-form';
export { SsoForm } from './sso-form';
export { SSO_TESTED_CHANNEL, SsoWindowEnd } from './sso-window-end';
export { explainRefusal, useAuthCall } from './use-auth-call';
export { useAuthForm } from './use-auth-form';
export { useSubmit } from './use-submit';

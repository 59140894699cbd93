// The package has no types. What of it is used here.
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  interface SwaggerUIOptions {
    domNode: HTMLElement;
    url: string;
    validatorUrl: null;
    docExpansion: 'list' | 'full' | 'none';
    defaultModelsExpandDepth: number;
    tryItOutEnabled: boolean;
    persistAuthorization: boolean;
    onComplete: () => void;
  }
  const SwaggerUI: (options: SwaggerUIOptions) => unknown;
  // biome-ignore lint/style/noDefaultExport: so the package exports it.
  export default SwaggerUI;
}
declare module 'swagger-ui-dist/swagger-ui.css';

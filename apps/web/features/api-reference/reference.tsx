'use client';

import 'swagger-ui-dist/swagger-ui.css';
import { Notice, SkeletonRows } from '@penstock/ui';
import { useEffect, useRef, useState } from 'react';

/** Swagger UI's class for dark pages; ours is an attribute. */
const DARK_CLASS = 'dark-mode';

/** Every operation, drawn by Swagger UI from our own origin: nothing of it is loaded from, or sent to, anywhere else. */
export function Reference() {
  const place = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  useEffect(() => {
    let isGone = false;
    const domNode = place.current;
    import('swagger-ui-dist/swagger-ui-es-bundle.js')
      .then(({ default: SwaggerUI }) => {
        if (isGone || domNode === null) {
          return;
        }
        SwaggerUI({
          domNode,
          url: '/api/v1/openapi.json',
          // Its checker stands on another origin.
          validatorUrl: null,
          docExpansion: 'list',
          defaultModelsExpandDepth: 0,
          tryItOutEnabled: true,
          // A key that was typed in is forgotten with the page.
          persistAuthorization: false,
          onComplete: () => setState('ready'),
        });
      })
      .catch(() => setState('failed'));
    return () => {
      isGone = true;
    };
  }, []);
  useEffect(followTheme, []);
  return (
    <>
      {state === 'loading' ? <SkeletonRows rows={8} label="Loading the reference" /> : null}
      {state === 'failed' ? (
        <Notice tone="danger" title="The reference could not be loaded">
          Reload the page. The document itself is at /api/v1/openapi.json.
        </Notice>
      ) : null}
      <div ref={place} className="api-reference" />
    </>
  );
}

/** Keeps Swagger UI's theme with the page's. */
function followTheme(): () => void {
  const root = document.documentElement;
  const apply = () => root.classList.toggle(DARK_CLASS, root.dataset['theme'] === 'dark');
  apply();
  const observer = new MutationObserver(apply);
  observer.observe(root, { attributes: true, attributeFilter: ['data-theme'] });
  return () => {
    observer.disconnect();
    root.classList.remove(DARK_CLASS);
  };
}

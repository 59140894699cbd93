// The PDF's typeface, and the characters that it has.
import { readFileSync } from 'node:fs';

/** In the package's own folder. A bundler that sees these URLs includes the files. */
const files = {
  regular: new URL('../../node_modules/@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf', import.meta.url),
  semiBold: new URL('../../node_modules/@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf', import.meta.url),
};

let loaded: { regular: Buffer; semiBold: Buffer } | undefined;

/** Reads the files once per process. */
export function loadFonts(): { regular: Buffer; semiBold: Buffer } {
  // The bundler knows the files from their URLs above. Without the comments it would trace the whole repository into the build.
  loaded ??= {
    regular: readFileSync(/* turbopackIgnore: true */ files.regular),
    semiBold: readFileSync(/* turbopackIgnore: true */ files.semiBold),
  };
  return loaded;
}

/** The characters of Inter: Latin with its extensions, Greek, Cyrillic, punctuation and currencies. */
const writable =
  /[\u0020-\u007e\u00a0-\u024f\u0370-\u03ff\u0400-\u045f\u0490-\u04ff\u1e00-\u1eff\u2010-\u2027\u20a0-\u20bf]/u;

/**
 * Replaces characters that the typeface lacks by their code points, e.g. U+65E5, because the PDF would show empty
 * boxes.
 */
export function writableText(text: string): string {
  return [...text.normalize('NFC')]
    .map((character) => {
      if (writable.test(character)) {
        return character;
      }
      return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
    })
    .join('');
}

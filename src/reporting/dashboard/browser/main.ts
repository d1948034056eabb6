// Starts the app in the page that holds it.
import { fill } from '../charts/format.ts';
import { startApp } from './app.ts';
import { openDataSource, UnreadableError } from './data-source.ts';
import { element } from './element.ts';

async function start(): Promise<void> {
  const place = document.getElementById('app');
  if (place === null) return;
  const language = document.documentElement.lang === 'es' ? 'es' : 'en';
  const source = openDataSource();
  try {
    startApp(place, source, await source.overview());
  } catch (error) {
    const why = error instanceof UnreadableError ? error.why : 'failed';
    const text =
      why === 'no_access'
        ? fill('Open the address that airank dashboard --serve printed: each start has its own.', language)
        : fill('This page could not be read', language);
    place.replaceChildren(element('p', { class: 'notice bad', role: 'alert', 'data-state': why }, text));
  }
}

void start();

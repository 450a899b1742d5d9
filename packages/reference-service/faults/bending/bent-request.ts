import type { ApiRequest } from '../../api/message.ts';

/** Returns the request with a changed query; the request itself if `change` leaves the query as it is. */
export function changeQuery(request: ApiRequest, change: (query: URLSearchParams) => void): ApiRequest {
  const [path = '', search = ''] = request.target.split('?');
  const query = new URLSearchParams(search);
  const before = String(query);
  change(query);
  return String(query) === before ? request : { ...request, target: `${path}?${query}` };
}

# Drives a Superset inside this process by its API, as its pages do: imports the ZIP with its dashboard, then that with the
# history, draws charts of each dataset, those of the dashboard, and those that it is asked for. Takes a file of JSON (what) and writes another one (the answers).
import json
import os
import sys

from superset.app import create_app


def main(asked_file, answers_file):
    with open(asked_file) as file:
        asked = json.load(file)
    app = create_app()
    with app.app_context():
        prepare()
    api = Api(app.test_client())
    answers = bring(api, asked)
    names = {one["view"]: one for one in answers["datasets"]}
    answers["charts"] = [chart(api, names, one) for one in asked["charts"]]
    answers["dashboard"] = dashboard(api)
    with open(answers_file, "w") as file:
        json.dump(answers, file)


def prepare():
    import superset
    from flask_migrate import upgrade
    from superset import appbuilder, security_manager

    upgrade(directory=os.path.join(os.path.dirname(superset.__file__), "migrations"))
    appbuilder.add_permissions(update_perms=True)
    security_manager.sync_role_definitions()
    admin = security_manager.find_role("Admin")
    security_manager.add_user("admin", "A", "B", "admin@localhost", admin, password="admin")


class Api:
    def __init__(self, client):
        self.client = client
        login = {"username": "admin", "password": "admin", "provider": "db", "refresh": False}
        token = client.post("/api/v1/security/login", json=login).json["access_token"]
        self.headers = {"Authorization": f"Bearer {token}"}

    def get(self, path):
        return self.client.get(f"/api/v1/{path}", headers=self.headers).json

    def post(self, path, **body):
        return self.client.post(f"/api/v1/{path}", headers=self.headers, **body)


def bring(api, asked):
    """What it says without the password of the connection, and what is there with it."""
    ask = send(api, "dashboard", asked["zip"], {})
    done = send(api, "dashboard", asked["zip"], {"databases/airank.yaml": asked["password"]})
    first = api.get("dataset/?q=(page:0,page_size:1)")["count"]
    again = send(api, "dataset", asked["history"], {})
    found = []
    while True:
        page = api.get(f"dataset/?q=(page:{len(found) // 25},page_size:25)")
        found += page["result"]
        if len(found) >= page["count"] or not page["result"]:
            break
    imported = {"unlocked": ask, "first": done, "again": again}
    return {"imported": imported, "first": first, "datasets": [look(api, one["id"]) for one in found]}


def send(api, what, path, passwords):
    with open(path, "rb") as file:
        form = {"formData": (file, "airank.zip"), "passwords": json.dumps(passwords), "overwrite": "true"}
        answer = api.post(f"{what}/import/", data=form, content_type="multipart/form-data")
    return {"status": answer.status_code, "text": answer.get_data(as_text=True)[:2000]}


def look(api, identifier):
    """A sample, every saved measure (the last of them counts), and the first of them over time."""
    it = api.get(f"dataset/{identifier}")["result"]
    names = [one["metric_name"] for one in it["metrics"]]
    time = it["main_dttm_col"]
    columns = [one["column_name"] for one in it["columns"]]
    draw = lambda **query: data(api, identifier, query)
    return {
        "id": identifier,
        "view": f"{it['schema']}.{it['table_name'].removesuffix('_history' if it['sql'] else '')}",
        "time": time,
        "metrics": names,
        "sample": draw(columns=columns, metrics=[], row_limit=10),
        "measures": draw(columns=[], metrics=names),
        "series": draw(columns=[axis(time)], metrics=names[:1], granularity=time) if time else None,
    }


def dashboard(api):
    """Each of its charts as it draws them, by name."""
    found = api.get("dashboard/")["result"]
    drawn = {}
    for one in api.get(f"dashboard/{found[0]['id']}/charts")["result"] if found else []:
        answer = api.client.get(f"/api/v1/chart/{one['id']}/data/", headers=api.headers)
        drawn[one["slice_name"]] = read(answer)
    return {"count": len(found), "charts": drawn}


def axis(column):
    return {
        "columnType": "BASE_AXIS",
        "expressionType": "SQL",
        "label": column,
        "sqlExpression": column,
        "timeGrain": "P1D",
    }


def chart(api, names, one):
    dataset = names.get(one["view"])
    if dataset is None:
        return {"error": "there is no such dataset"}
    query = {"columns": one["by"], "metrics": [one["measure"]], "filters": one.get("where", [])}
    if one.get("range"):
        query.update(granularity=dataset["time"], time_range=one["range"])
    return data(api, dataset["id"], query)


def data(api, identifier, query):
    body = {
        "datasource": {"id": identifier, "type": "table"},
        "force": True,
        "queries": [{"row_limit": 1000, "orderby": [], "filters": [], **query}],
        "result_format": "json",
        "result_type": "full",
    }
    return read(api.post("chart/data", json=body))


def read(answer):
    if answer.status_code != 200:
        return {"error": answer.get_data(as_text=True)[:600]}
    result = answer.json["result"][0]
    return {"rows": result["data"]} if not result.get("error") else {"error": result["error"]}


main(sys.argv[1], sys.argv[2])
